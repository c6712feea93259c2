import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    readonly runFolder: string;
  }
}

const MEMORY_FOLDER = '/dev/shm';
const MIN_FREE_BYTES = 4 * 2 ** 30;

/** One folder for all temporary files of a run, which tests find by `tmpdir()`. */
export default async function makeRunFolder(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(await parentFolder(), 'acequia-run-'));
  const remove = (): void =>
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  // On Ctrl-C nothing can be awaited.
  process.once('exit', remove);
  // PostgreSQL runs as another user if we are root.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  project.provide('runFolder', folder);
  return remove;
}

/**
 * The memory file system if it has room: on a disk, tests mostly wait for commits to be written.
 */
async function parentFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY_FOLDER).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= MIN_FREE_BYTES ? MEMORY_FOLDER : tmpdir();
}
