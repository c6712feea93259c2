import { AcequiaError, type Problem, storeUnavailable } from '../schema/error.ts';
import { isMissing } from '../store/address.ts';
import { lazyLog } from './log.ts';
import { openObserving } from './observing.ts';
import { openAnswersOf } from './open-answers.ts';
import type { Settings } from './settings.ts';

/** What a tool answers. */
export interface ToolAnswer {
  readonly summary: string;
  /** The structured answer; null beside a picture. */
  readonly body: Record<string, unknown> | null;
  /** PNG. */
  readonly picture: Uint8Array | null;
}

/** Asks a tool as an assistant would, of the store or of the service in its place. What it refuses is thrown. */
export async function askTool(tool: string, given: Record<string, unknown>, settings: Settings): Promise<ToolAnswer> {
  const { db, remote, logLevel } = settings;
  if (remote === null && isMissing(db))
    throw storeUnavailable(
      `There is no store ${db}.`,
      'Name its file with --db or ACEQUIA_DB, or make one with "acequia import".',
    );
  const log = lazyLog(logLevel);
  const { observer, end } = await openObserving(log);
  const answers = await openAnswersOf(settings, { report: log.failure, observer, surface: 'cli' });
  try {
    const { isError, _meta, content, structuredContent } = await answers.callTool(tool, given);
    if (isError) throw new AcequiaError(_meta!['acequia/error'] as Problem);
    const [said] = content;
    const picture = content.find((part) => part.type === 'image');
    return {
      summary: said?.type === 'text' ? said.text : '',
      body: structuredContent ?? null,
      picture: picture ? Buffer.from(picture.data, 'base64') : null,
    };
  } finally {
    await answers.close();
    await end();
  }
}
