import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { isDeepRun } from '../property-runs.ts';
import { cleanEnv, REPOSITORY } from './program.ts';

/** A benchmark that fails or prints no figure ends the run with its name. */
async function runBenchmarks(...names: readonly string[]) {
  const script = join(REPOSITORY, 'bench', 'run.mjs');
  const child = spawn(process.execPath, [script, '--smallest', ...names], { env: cleanEnv });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { stdout, stderr, code };
}

const ROW = /^\| [^|]+ \| [^|]+ \| [^|]+ \| (?:[\d.,]+ [^|]+) \| [^|]+ \| [^|]+ \|$/;

async function expectFigures(...names: readonly string[]): Promise<void> {
  const { stdout, stderr, code } = await runBenchmarks(...names);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  const [machine, , titles, , ...rows] = stdout.trimEnd().split('\n');
  expect(machine).toMatch(/^Node v[\d.]+, /);
  expect(titles).toBe('| what | against | baseline | measured | ratio | target |');
  expect(rows.filter((row) => !ROW.test(row))).toEqual([]);
}

it('prints a table with the figures of each benchmark', () => expectFigures());

it.runIf(isDeepRun)('prints those on PostgreSQL', () => expectFigures('postgres'));
