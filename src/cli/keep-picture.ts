import { writeFile } from 'node:fs/promises';
import { AcequiaError } from '../schema/error.ts';

/** Writes a picture to a file; one that cannot be written is refused. */
export async function writePicture(file: string, data: Uint8Array): Promise<void> {
  try {
    await writeFile(file, data);
  } catch (error) {
    throw new AcequiaError({
      code: 'not_written',
      status: 500,
      message: `${file} cannot be written: ${(error as Error).message}.`,
      hint: 'Name a file in a folder that you may write to with --out.',
    });
  }
}
