import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Json } from './program.ts';

/** What a scenario of the official suite found. */
export interface ConformanceScenario {
  readonly name: string;
  /** Messages of the checks that failed; none where it passed. */
  readonly failures: readonly string[];
}

const suiteFolder = dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'));

/** Runs every scenario for servers against an address; what it writes goes to a folder. */
export async function runConformanceSuite(url: URL, folder: string): Promise<ConformanceScenario[]> {
  const options = ['--url', url.href, '--suite', 'all', '--output-dir', folder];
  // It ends with 1 where a scenario fails: what failed is read from the files.
  await new Promise<void>((resolve) => {
    execFile(process.execPath, [join(suiteFolder, 'dist', 'index.js'), 'server', ...options], () => resolve());
  });
  const results = await readdir(folder);
  return Promise.all(
    results.map(async (result) => {
      // "server-", the name, and when it ran.
      const name = /^server-(.+?)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(result)![1]!;
      const checks: Json[] = JSON.parse(await readFile(join(folder, result, 'checks.json'), 'utf8'));
      const failed = checks.filter(({ status }) => status === 'FAILURE');
      return { name, failures: failed.map(({ errorMessage }) => String(errorMessage)) };
    }),
  );
}
