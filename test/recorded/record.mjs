// Records what the program says, after a build: node test/recorded/record.mjs [source ...]
// It prints what differs from the recordings before. Sources are files of tests; default: all.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importBundled, root } from '../../scripts/repository.mjs';

/** Each on SQLite, alone, because several write to one recording. */
const TESTS = [
  'test/mcp/every-summary.test.ts',
  'test/recorded/us-answers.deep.test.ts',
  'test/mcp/aloud/summaries-aloud.test.ts',
  'test/recorded/us-demo-answers.deep.test.ts',
  'test/recorded/reasons.test.ts',
  'test/recorded/mails.test.ts',
  'test/recorded/questions.test.ts',
  'test/acceptance/rest/errors.test.ts',
  'test/acceptance/remote/errors.deep.test.ts',
  'test/acceptance/page/page-texts.deep.test.ts',
];
const FARMS = 'test/acceptance/advice/recorded';

const wanted = process.argv.slice(2);
const isWanted = (file) => wanted.length === 0 || wanted.some((name) => file.includes(name));

function recordTest(file, report) {
  const isDeep = /^test\/recorded|\.deep\.test\.ts$/.test(file);
  const config = isDeep ? ['--config', 'test/deep.config.ts'] : [];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', file, '--project', 'sqlite', ...config],
    { cwd: root, encoding: 'utf8', env: { ...process.env, ACEQUIA_RECORD: report } },
  );
  if (status !== 0) throw new Error(`${file} failed:\n${stdout}${stderr}`);
}

const folder = mkdtempSync(join(tmpdir(), 'acequia-record-'));
const report = join(folder, 'report.txt');
writeFileSync(report, '');
try {
  for (const file of TESTS.filter(isWanted)) {
    process.stderr.write(`${file}\n`);
    recordTest(file, report);
  }
  process.stdout.write(readFileSync(report, 'utf8'));
  if (isWanted(FARMS)) {
    process.stderr.write(`${FARMS}\n`);
    process.env.ACEQUIA_BINARY ??= join(root, 'dist', 'acequia.js');
    const { recordAnswers } = await importBundled(`${FARMS}/record.ts`);
    for (const line of await recordAnswers()) process.stdout.write(`${line}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
