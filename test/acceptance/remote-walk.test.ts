import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { rowsOf } from '../stores.ts';
import { BINARY, newFolder } from './program.ts';

const CLOCK = '2026-07-14T09:20:00.000Z';

interface Told {
  readonly db: string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Two demos, maybe on a machine that has other things to do, in ms. */
const PATIENT = 300_000;

/** Runs the demo in a folder of its own; fails where it ends with another code than 0. */
async function demo(...options: string[]): Promise<Told> {
  const db = join(await newFolder(), 'demo.db');
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ACEQUIA_')));
  const args = [BINARY, 'demo', '--db', db, '--clock', CLOCK, ...options];
  return { db, ...(await promisify(execFile)(process.execPath, args, { env, maxBuffer: 1 << 24 })) };
}

/**
 * The conversation without the sentences of its answers, which draw on remarks that no body carries, and without what
 * housekeeping counts: every write over REST has an idempotency key; nor what is another in every run, where the farm is and
 * the ids of mail. What is called, what the answers hold and how it is worked out by hand is left.
 */
function conversation({ db, stdout }: Told): string[] {
  const said = stdout.replaceAll(dirname(db), '.').replace(/(?<=Message-ID: <)[^@]+/g, 'id');
  const talk = said.split('\nThe conversation\n')[1]!.split('\nConnect your assistant')[0]!;
  let isSaid = false;
  return talk.split('\n').filter((line) => {
    if (/^ +(answers|prints) /.test(line)) isSaid = true;
    else if (!/^ {9,}\S/.test(line)) isSaid = false;
    return !isSaid;
  });
}

describe('the demo through REST', () => {
  it('is the same conversation, answer by answer, replays included', { timeout: PATIENT }, async () => {
    const [far, near] = await Promise.all([demo('--through-rest'), demo()]);
    expect(far.stderr).toBe('');
    expect(far.stdout).toMatch(/Serving on http:\/\/127\.0\.0\.1:\d+\/v1/);
    expect(far.stdout.replace(/\s+/g, ' ')).toContain('once more, marked "acequia/replayed": true');
    expect(conversation(far)).toEqual(conversation(near));
    expect(conversation(far).filter((line) => / calls +\w/.test(line)).length).toBeGreaterThan(10);
    // What was told stands in the book as told by an assistant.
    expect(await rowsOf(far.db, 'select distinct source from waterings order by source')).toEqual(
      await rowsOf(near.db, 'select distinct source from waterings order by source'),
    );
    expect(await rowsOf(far.db, 'select surface, last_used_at is not null as isUsed from api_keys')).toEqual([
      { surface: 'mcp', isUsed: 1 },
    ]);
  });
});
