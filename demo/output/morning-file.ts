import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { plainError } from '../../src/schema/error.ts';
import type { TranscriptPart } from './transcript.ts';

export interface MorningFiles {
  readonly text: string;
  readonly picture: string;
}

const TITLE = '# A morning on the demo farm';
const INTRODUCTION =
  'Written by `acequia demo`. The words of the person are headings; below it the call that an assistant makes of it, what the server answers, and what the assistant can say from that answer alone. The farm and its soil are simulated, the calls and the answers are real, and the figures of readings and equipment have been worked out by hand beside it.';

/** Beside the farm: demo.db has demo-morning.md and demo-morning.png. */
export function morningFilePaths(farm: string): MorningFiles {
  const stem = farm.replace(/\.db$/, '');
  return { text: `${stem}-morning.md`, picture: `${stem}-morning.png` };
}

export async function removeMorning({ text, picture }: MorningFiles): Promise<void> {
  const isOurs = existsSync(text) && (await readFile(text, 'utf8')).startsWith(TITLE);
  for (const file of [text, picture]) {
    if (!existsSync(file)) continue;
    if (!isOurs)
      throw plainError({
        code: 'NOT_A_DEMO_MORNING',
        status: 409,
        message: `The demo writes its morning to ${file}, but that file holds something else; it was left unchanged.`,
        hint: 'Move the file away, or name another store with --db.',
      });
  }
  await Promise.all([text, picture].map((file) => rm(file, { force: true })));
}

export async function writeMorning(
  files: MorningFiles,
  parts: readonly TranscriptPart[],
  picture: Uint8Array,
): Promise<void> {
  await writeFile(files.picture, picture);
  await writeFile(
    files.text,
    `${[TITLE, INTRODUCTION, ...parts.flatMap((each) => paragraphs(each, files))].join('\n\n')}\n`,
  );
}

const fenced = (lines: readonly string[]): string => ['```', ...lines, '```'].join('\n');

function paragraphs({ kind, lines }: TranscriptPart, { picture }: MorningFiles): string[] {
  const text = lines.join('\n');
  switch (kind) {
    case 'person':
      return [`## “${text}”`];
    case 'event':
      return [`*${text}*`];
    case 'calls':
      return [
        `The assistant calls \`${text}\``,
        ...(text.startsWith('chart_moisture') ? [image(picture)] : []),
      ];
    case 'answers':
      return [`> ${text}`];
    case 'says':
      return [`**Assistant:** “${text}”`];
    case 'byHand':
      return ['By hand:', fenced(lines)];
    case 'checked':
      return [`Checked: ${text}`];
    case 'text':
      return [text];
    default:
      return [fenced(lines)];
  }
}

const image = (file: string): string =>
  `![Moisture of North 1 with its waterings](${basename(file)})`;
