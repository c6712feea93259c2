import { type FileHandle, open } from 'node:fs/promises';
import { quote } from '../../domain/strings.ts';
import { say, verbatimText } from '../../domain/text/say.ts';
import { storeUnavailableError } from '../../schema/error.ts';
import { usageError } from '../process/command.ts';

export async function openRejects(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'w');
  } catch (error) {
    throw usageError(
      `The rejects file ${quote(path)} cannot be written (${(error as NodeJS.ErrnoException).code}).`,
      'Give --rejects a path in a folder that exists and can be written to.',
      '--rejects',
    );
  }
}

/** Rejected rows must not be lost silently: if they cannot be written, the import ends. */
export async function writeRejects(rejects: FileHandle, text: string): Promise<void> {
  try {
    await rejects.appendFile(text);
  } catch (error) {
    throw storeUnavailableError(
      verbatimText(`The rejects cannot be written (${(error as NodeJS.ErrnoException).code}).`),
      say`Make room, or give --rejects another place, and import the file again.`,
    );
  }
}
