import { appendFileSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

const MAX_BYTES = 5_000_000;

/** Beyond its greatest size it becomes FILE.1, in place of an earlier one. */
export class LogFile {
  readonly #path: string;
  readonly #maxBytes: number;

  constructor(path: string, maxBytes = MAX_BYTES) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    mkdirSync(dirname(path), { recursive: true });
  }

  readonly write = (text: string | Buffer): void => {
    if (this.#size() >= this.#maxBytes) {
      rmSync(earlierFile(this.#path), { force: true });
      renameSync(this.#path, earlierFile(this.#path));
    }
    appendFileSync(this.#path, text, { mode: 0o600 });
  };

  #size(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
  }
}

const earlierFile = (path: string): string => `${path}.1`;

/** The newest lines, also of the earlier file. */
export async function readLogLines(path: string, count: number): Promise<string[]> {
  const texts = [earlierFile(path), path].map((file) => readFile(file, 'utf8').catch(() => ''));
  const lines = (await Promise.all(texts)).join('').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.slice(-count);
}
