import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface SmallDisk {
  readonly folder: string;
  /** Takes all the space that is left. */
  fill(): void;
  free(): void;
}

const mount = (folder: string, megabytes: number): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'acequia-test', folder]).status ===
  0;

/** Null where file systems cannot be mounted, which takes root on Linux. */
export function mountSmallDisk(megabytes: number): (SmallDisk & { remove(): void }) | null {
  const folder = mkdtempSync(join(tmpdir(), 'acequia-disk-'));
  if (!mount(folder, megabytes)) {
    rmSync(folder, { recursive: true });
    return null;
  }

  chmodSync(folder, 0o777);
  const filler = join(folder, 'filler');
  return {
    folder,
    fill() {
      try {
        for (;;) writeFileSync(filler, Buffer.alloc(65_536), { flag: 'a' });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    },
    free: () => rmSync(filler),
    remove() {
      spawnSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
