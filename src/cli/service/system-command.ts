import { execFile } from 'node:child_process';
import { singleLine } from '../../domain/strings.ts';
import { formatWords } from '../process/output.ts';
import { RefusalInWords } from '../process/refusal-in-words.ts';
import type { ServiceWords, SystemCommand } from './platforms/service-platform.ts';

export interface CommandOutput {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const COMMAND_NOT_FOUND = 127;

/** A failure is an exit code like any other. */
export const queryCommand = ({ words: [file, ...args] }: SystemCommand): Promise<CommandOutput> =>
  new Promise((resolve) => {
    execFile(file, args, { windowsHide: true }, (error, stdout, stderr) => {
      if (error === null) return resolve({ code: 0, stdout, stderr });
      if (typeof error.code === 'number') return resolve({ code: error.code, stdout, stderr });
      resolve({ code: COMMAND_NOT_FOUND, stdout, stderr: error.message });
    });
  });

/** Throws with the words of the first that fails. */
export async function runCommands(
  commands: readonly SystemCommand[],
  hintIn: (words: ServiceWords) => string,
): Promise<void> {
  for (const command of commands) {
    const { code, stdout, stderr } = await queryCommand(command);
    if (code === 0 || command.mayFail) continue;

    const reason = singleLine(stderr || stdout) || null;
    throw new RefusalInWords({ code: 'service_manager_failed', status: 500 }, ({ service }) =>
      service.refusals.command(formatWords(command.words), { reason, code, hint: hintIn(service) }),
    );
  }
}
