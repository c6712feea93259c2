import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** One request of an operation with its answer, as the service gave it: `<operation>.example.json` beside the card. */
export interface OperationExample {
  /** Path and query, by name. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** The same as CSV, where the operation takes that. */
  readonly csv?: string;
  /** Absent where the answer is a picture. */
  readonly response?: unknown;
}

/** By the name of the operation. */
export type OperationExamples = ReadonlyMap<string, OperationExample>;

const SUFFIX = '.example.json';

/** The examples below a folder of cards. */
export async function readExamples(toolsFolder: string): Promise<OperationExamples> {
  const files = (await readdir(toolsFolder, { recursive: true })).filter((file) => file.endsWith(SUFFIX));
  const read = async (file: string): Promise<[string, OperationExample]> => [
    basename(file, SUFFIX).replaceAll('-', '_'),
    JSON.parse(await readFile(join(toolsFolder, file), 'utf8')),
  ];
  return new Map(await Promise.all(files.map(read)));
}
