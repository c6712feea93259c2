import { existsSync, realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative } from 'node:path';
import { itemAt } from '../../domain/items.ts';
import { formatWords } from '../process/output.ts';
import { realLocation } from '../process/output-file.ts';

export function findExecutable(command: string): string | null {
  if (isAbsolute(command)) return existsSync(command) ? command : null;

  // Windows tries these endings for a command that is written without one.
  const windowsEndings = (process.env.PATHEXT ?? '.EXE;.CMD').split(';');
  const endings = process.platform === 'win32' ? ['', ...windowsEndings] : [''];
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const paths = folders.flatMap((folder) =>
    endings.map((ending) => join(folder, command + ending)),
  );
  return paths.find((path) => existsSync(path)) ?? null;
}

/** npx runs a program from a folder of its own, and makes it again if it was deleted. */
const NPX_PACKAGE =
  /[\\/]_npx[\\/][^\\/]+[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/.][^\\/]*)[\\/]/;

/**
 * The words to type for this program where it was started: its name if the path leads to it, or
 * node with its file.
 */
export function ownCommand(program = itemAt(process.argv, 1)): string {
  const npxPackage = NPX_PACKAGE.exec(realLocation(program))?.[1];
  if (npxPackage !== undefined) return `npx ${npxPackage}`;
  const onPath = findExecutable('acequia');
  if (onPath !== null && isSameFile(onPath, program)) return 'acequia';

  const below = relative(process.cwd(), program);
  const isBelow = below !== '' && !below.startsWith('..') && !isAbsolute(below);
  return `node ${formatWords([isBelow ? below : program])}`;
}

const isSameFile = (one: string, other: string): boolean =>
  existsSync(one) && existsSync(other) && realpathSync(one) === realpathSync(other);
