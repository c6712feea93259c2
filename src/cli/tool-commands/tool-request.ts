import { writeFile } from 'node:fs/promises';
import { AcequiaError, type Problem } from '../../schema/error.ts';
import { refuseMissingStore } from '../process/command.ts';
import { lazyLog } from '../process/log.ts';
import { openObservability } from '../process/observability.ts';
import { refuseStoreFile } from '../process/output-file.ts';
import { openHandlers } from '../process/request-handlers.ts';
import type { Settings } from '../process/settings.ts';

export async function requestTool(tool: string, args: Record<string, unknown>, settings: Settings) {
  const { db, remote, logLevel } = settings;
  if (remote === null) refuseMissingStore(db);
  const log = lazyLog(logLevel);
  const { observer, end } = await openObservability(log);
  const handlers = await openHandlers(settings, { report: log.failure, observer, surface: 'cli' });
  try {
    const { isError, _meta, content, structuredContent } = await handlers.callTool(tool, args);
    if (isError) throw new AcequiaError(_meta!['acequia/error'] as Problem);
    const [firstPart] = content;
    const picture = content.find((part) => part.type === 'image');
    return {
      summary: firstPart?.type === 'text' ? firstPart.text : '',
      body: structuredContent ?? null,
      picture: picture ? Buffer.from(picture.data, 'base64') : null,
    };
  } finally {
    await handlers.close();
    await end();
  }
}

export async function writePicture(file: string, data: Uint8Array, { db }: Pick<Settings, 'db'>): Promise<void> {
  refuseStoreFile(file, '--out', [db]);
  try {
    await writeFile(file, data);
  } catch (error) {
    throw new AcequiaError({
      code: 'not_written',
      status: 500,
      message: `${file} cannot be written: ${(error as Error).message}.`,
      hint: 'Give --out a file in a folder that you may write to.',
    });
  }
}
