import type { Installation, KeptProgram } from './service-platform.ts';

interface KeeperFiles {
  readonly envFile: string;
  readonly logFile: string;
}

/** For systems that do not restart a program as systemd does, or write no log of it. */
export const keeperCommand = (
  { node, program }: Installation,
  { words }: KeptProgram,
  { envFile, logFile }: KeeperFiles,
): string[] => [
  ...[node, program, 'service', 'keep', '--settings', envFile, '--log', logFile],
  ...words,
];
