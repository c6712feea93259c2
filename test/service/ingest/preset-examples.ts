import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Examples stand beside their presets, in NAME.examples.json; the program imports none. */
export const PRESETS_FOLDER = fileURLToPath(
  new URL('../../../src/service/ingest/presets', import.meta.url),
);
export const EXAMPLES_SUFFIX = '.examples.json';

/** A message as a device or network sends it, and what must come of it. */
export interface PresetExample {
  readonly name: string;
  /** The origin of the message or of its form. */
  readonly source: string;
  readonly preset: string;
  readonly topic?: string;
  /** The units that were published under other topics. */
  readonly units?: Readonly<Record<string, string>>;
  /** True if its instants may be long ago, as in the answer to a request. */
  readonly isAnswer?: boolean;
  /** JSON, or the text of a form or state. */
  readonly payload: object | string;
  readonly expected: ExpectedReadings;
}

interface ExpectedReadings {
  /** Values that are stored, as "humidity 19.57"; of rain, wind and radiation alike. */
  readonly stored?: readonly string[];
  /** Why a message or value is listed as unread, with the rejection by the batch. */
  readonly named?: string;
  readonly failed?: number;
  readonly battery?: number;
  /** The instants of the readings, each once. */
  readonly times?: readonly string[];
  readonly devices?: readonly string[];
  readonly kind?: 'ignored' | 'unreadable';
}

export const presetFiles = (): string[] =>
  readdirSync(PRESETS_FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .sort();

let examples: readonly PresetExample[] | undefined;

/** Read at the first call. */
export function presetExamples(): readonly PresetExample[] {
  examples ??= presetFiles()
    .filter((file) => file.endsWith(EXAMPLES_SUFFIX))
    .flatMap((file): PresetExample[] =>
      JSON.parse(readFileSync(join(PRESETS_FOLDER, file), 'utf8')),
    );
  return examples;
}

export const payloadText = ({ payload }: Pick<PresetExample, 'payload'>): string =>
  typeof payload === 'string' ? payload : JSON.stringify(payload);

/** The first example of a preset, which is a whole message. */
export function exampleOf(preset: string): PresetExample {
  const example = presetExamples().find((other) => other.preset === preset);
  if (example === undefined) throw new Error(`No example of ${preset}`);
  return example;
}
