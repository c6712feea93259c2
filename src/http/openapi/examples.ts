import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** A request with its response, recorded from the service: `<operation>.example.json` beside the card. */
export interface OperationExample {
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly csv?: string;
  readonly response?: unknown;
}

export type OperationExamples = ReadonlyMap<string, OperationExample>;

const SUFFIX = '.example.json';

export async function readExamples(toolsFolder: string): Promise<OperationExamples> {
  const files = (await readdir(toolsFolder, { recursive: true })).filter((file) => file.endsWith(SUFFIX));
  const read = async (file: string): Promise<[string, OperationExample]> => [
    basename(file, SUFFIX).replaceAll('-', '_'),
    JSON.parse(await readFile(join(toolsFolder, file), 'utf8')),
  ];
  return new Map(await Promise.all(files.map(read)));
}
