/** MCPJam's checks. */
import { MCPAppsConformanceTest, MCPConformanceTest } from '@mcpjam/sdk';

const { command, url, key } = JSON.parse(process.argv[2]);
const headers = { 'x-api-key': key };
const runs = [
  ['protocol, HTTP', new MCPConformanceTest({ serverUrl: url, customHeaders: headers })],
  ['apps, stdio', new MCPAppsConformanceTest({ command: command[0], args: command.slice(1) })],
  ['apps, HTTP', new MCPAppsConformanceTest({ url, requestInit: { headers } })],
];
const results = [];
for (const [suite, run] of runs) {
  const { checks, discovery } = await run.run();
  if (discovery && discovery.uiToolCount + discovery.listedUiResourceCount === 0) {
    results.push({ suite, id: 'all', status: 'skipped', reason: 'the server has no app' });
    continue;
  }
  for (const { id, status, error, details } of checks)
    results.push({ suite, id, status, reason: error?.message ?? error ?? details?.reason });
}
process.stdout.write(`RESULT${JSON.stringify(results)}`);
process.exit(0);
