# The table server. `docker build -t branchline .`; `compose.yaml` runs it with PostgreSQL.

# The page
FROM node:22-slim AS page
WORKDIR /build/web
COPY web/package*.json web/.npmrc ./
RUN npm ci --omit=dev
COPY web ./
COPY src/branchline/lang /build/src/branchline/lang
RUN npm run build

# The wheel, compiled
FROM python:3.12-slim AS wheel
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY requirements/build.txt requirements/
RUN pip install --no-cache-dir --require-hashes -r requirements/build.txt
COPY pyproject.toml setup.py README.md LICENSE ./
COPY src src
COPY --from=page /build/src/branchline/service/page src/branchline/service/page
RUN BRANCHLINE_COMPILED=1 pip wheel --no-build-isolation --no-deps --wheel-dir /wheels .

# What runs
FROM python:3.12-slim
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin branchline \
    && install --directory --owner branchline --group branchline --mode 0700 /data
COPY requirements/run.txt /tmp/
RUN pip install --no-cache-dir --require-hashes -r /tmp/run.txt
RUN --mount=type=bind,from=wheel,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index --no-deps /wheels/*.whl
ENV BRANCHLINE_DATA=/data \
    BRANCHLINE_PORT=8000 \
    BRANCHLINE_LOG_FORMAT=json \
    PYTHONUNBUFFERED=1
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s CMD ["python", "-c", "\
import os, urllib.request; \
urllib.request.urlopen(f\"http://127.0.0.1:{os.environ['BRANCHLINE_PORT']}/readyz\", timeout=4)"]
ENTRYPOINT ["branchline"]
CMD ["serve"]
