import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { plainError, plainInputError } from '../../schema/error.ts';
import { isServerUrl } from '../../store/store-location.ts';
import { assertKeptProgram } from '../connect/launch-command.ts';
import { usageError } from '../process/command.ts';
import { launchd } from './platforms/launchd.ts';
import type { Installation, ServicePlatform } from './platforms/service-platform.ts';
import { systemd } from './platforms/systemd.ts';
import { taskScheduler } from './platforms/task-scheduler.ts';
import { queryCommand } from './system-command.ts';

/** `env` and `home` are those of this user. */
export function platformOf(
  platform: NodeJS.Platform,
  { isSystem }: { readonly isSystem: boolean },
): ServicePlatform {
  const { env } = process;
  const home = homedir();
  if (isSystem && platform !== 'linux')
    throw usageError(
      '--system is for systemd on Linux.',
      'Leave it out: the service is then on while you are logged in.',
      '--system',
    );

  if (platform === 'linux') return systemd({ home, env, isSystem });
  if (platform === 'darwin') return launchd({ home, uid: process.getuid?.() ?? 0 });
  if (platform === 'win32') return taskScheduler({ home, env });
  throw plainError({
    code: 'no_service_manager',
    status: 400,
    message: `Acequia does not know how ${platform} keeps a program on.`,
    hint: 'Let what starts your services run "acequia serve".',
  });
}

interface Owner {
  readonly id: number;
  readonly name: string;
}

/** Who owns the store, or called sudo where the store is no file. */
export async function storeOwner(db: string): Promise<Owner> {
  const id = isServerUrl(db) ? Number(process.env.SUDO_UID ?? Number.NaN) : (await stat(db)).uid;
  if (Number.isNaN(id))
    throw plainInputError('invalid_parameter', 'Nothing says whose this service is.', {
      hint: 'The store is a database. Run the command with sudo, from the account that the service is to have.',
      field: '--system',
    });

  const { code, stdout } = await queryCommand({ words: ['id', '-nu', String(id)] });
  return { id, name: code === 0 ? stdout.trim() : String(id) };
}

/** Throws where the program may vanish, or its path cannot be written into a definition. */
export function installationOf(
  { execPath, program }: { readonly execPath: string; readonly program: string },
  user: string | null,
): Installation {
  assertKeptProgram(program);
  for (const path of [execPath, program])
    if (/\p{Cc}|%[^%]+%/u.test(path))
      throw plainInputError(
        'NOT_INSTALLED',
        `${path} has signs that a service cannot have in its path.`,
        { hint: 'Move it to a folder without line breaks, and without a word between two %.' },
      );

  return { node: execPath, program, user };
}
