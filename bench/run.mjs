/**
 * Runs all benchmarks, or the named ones (`node bench/run.mjs cold-start memory`), one after the
 * other, and prints their figures as a Markdown table. Each alternates with its baseline. With
 * --smallest they only show that they work: see sizes.mjs.
 */
import { spawn } from 'node:child_process';
import { cpus } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from './client.mjs';

const BENCHMARKS = [
  'cold-start',
  'warm-read',
  'durable-write',
  'memory',
  'end-of-input',
  'import',
  'schedules',
  'redose',
  'undo',
  'year-as-days',
  'farm-brief',
  'http',
  'long-reads',
  'company-size',
  'shares',
  'intake',
];

/**
 * These run by name, or all as `postgres`, on the server named by ACEQUIA_BENCH_PG or on a
 * temporary one.
 */
const POSTGRES = [
  'warm-read',
  'durable-write',
  'import',
  'schedules',
  'redose',
  'undo',
  'year-as-days',
  'long-reads',
  'company-size',
  'shares',
  'writers',
  'intake',
].map((name) => `postgres/${name}`);

/** The script of a benchmark and its argument. */
function scriptOf(name) {
  if (name === 'postgres/import') return ['import-postgres'];
  const [kind, script] = name.split('/');
  return kind === 'postgres' ? [script, kind] : [name];
}

const words = process.argv.slice(2);
const isSmallest = words.includes('--smallest');
const named = words
  .filter((word) => word !== '--smallest')
  .flatMap((name) => (name === 'postgres' ? POSTGRES : name));
const all = [...BENCHMARKS, ...POSTGRES];
const unknown = named.find((name) => !all.includes(name));
if (unknown !== undefined) {
  console.error(`There is no benchmark ${unknown}. There are: ${all.join(', ')}.`);
  process.exit(2);
}

async function figuresOf(name) {
  const [script, ...argument] = scriptOf(name);
  const argv = [fileURLToPath(new URL(`${script}.mjs`, import.meta.url)), ...argument];
  const child = spawn(process.execPath, argv, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...childEnvironment(), ...(isSmallest && { ACEQUIA_BENCH_SMALLEST: '1' }) },
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const figures = [];
  for await (const line of createInterface({ input: child.stdout })) figures.push(JSON.parse(line));
  if ((await ended) !== 0) throw new Error(`The benchmark ${name} failed.`);
  if (figures.length === 0) throw new Error(`The benchmark ${name} printed no figure.`);
  return figures;
}

const cell = (value) =>
  value === undefined || value === null || value === '' ? '–' : String(value);
const times = (value) => (typeof value === 'number' ? `${value}x` : cell(value));

console.log(
  `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} processors\n`,
);

/** Another build to compare with adds its columns to those of docs/benchmarks.md. */
const comparesBuilds = process.env.ACEQUIA_BENCH_BEFORE !== undefined;

function printRow(cells, cellsOfBefore) {
  const all = comparesBuilds ? [...cells, ...cellsOfBefore] : cells;
  console.log(`| ${all.map(cell).join(' | ')} |`);
}

const TITLES = ['what', 'against', 'baseline', 'measured', 'ratio', 'target'];
printRow(TITLES, ['before', 'measured to before']);
console.log(`|${'---|'.repeat(comparesBuilds ? 8 : 6)}`);
for (const name of named.length > 0 ? named : BENCHMARKS)
  for (const figure of await figuresOf(name)) {
    const { what, against, baseline, measured, ratio, target, before, ratioToBefore } = figure;
    const targetText = typeof target === 'number' ? `at most ${times(target)}` : target;
    const row = [what, against, baseline, measured, times(ratio), targetText];
    printRow(row, [before, times(ratioToBefore)]);
  }
