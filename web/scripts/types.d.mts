export const python: string;
export function readSchema(): object;
export function typesFrom(schema: object): Promise<Record<string, string>>;
