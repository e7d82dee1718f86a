/** Records that were opened from a file: kept in this browser, so that a reload and a link find them. */

const DATABASE = "branchline";
const STORE = "records";
const MOST = 20;

interface Kept {
  id: string;
  text: string;
  at: number;
}

/** A short name for a text: two halves of 32 bits, mixed from its characters. */
export function idOf(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let k = 0; k < text.length; k++) {
    const code = text.charCodeAt(k);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  const mixed = [a ^ (b >>> 13), b ^ (a >>> 16)];
  return mixed.map((half) => (half >>> 0).toString(36).padStart(7, "0")).join("");
}

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error());
  });

async function store(): Promise<IDBObjectStore> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () =>
    request.result.createObjectStore(STORE, { keyPath: "id" }).createIndex("at", "at");
  return (await done(request)).transaction(STORE, "readwrite").objectStore(STORE);
}

/** Keeps a record and gives its id; an empty one if this browser keeps nothing. */
export async function keep(text: string, at: number): Promise<string> {
  const id = idOf(text);
  try {
    const records = await store();
    const kept: Kept = { id, text, at };
    await done(records.put(kept));
    const old = (await done(records.index("at").getAllKeys())).slice(0, -MOST);
    for (const key of old) await done(records.delete(key));
    return id;
  } catch {
    return "";
  }
}

export async function find(id: string): Promise<string | null> {
  try {
    const kept = (await done((await store()).get(id))) as Kept | undefined;
    return kept?.text ?? null;
  } catch {
    return null;
  }
}
