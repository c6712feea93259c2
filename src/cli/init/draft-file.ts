import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod/v3';
import { dataFolder } from '../process/settings.ts';

const draft = z.object({ answers: z.array(z.string()) });

/** Answers of an interview that was left in the middle. It may hold an address: its owner alone reads it. */
export class DraftFile {
  readonly #path: string;

  constructor(path = join(dataFolder(), 'init-draft.json')) {
    this.#path = path;
  }

  /** Empty if there is no draft that can be read. */
  read(): readonly string[] {
    try {
      return draft.parse(JSON.parse(readFileSync(this.#path, 'utf8'))).answers;
    } catch {
      return [];
    }
  }

  /** Does nothing where no file can be written: the interview goes on without a draft. */
  write(answers: readonly string[]): void {
    try {
      mkdirSync(dirname(this.#path), { recursive: true });
      writeFileSync(this.#path, JSON.stringify({ answers }), { mode: 0o600 });
    } catch {
      // Nothing depends on it.
    }
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }
}
