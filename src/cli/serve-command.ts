import { type Command, Option } from 'commander';
import { LIMITS, type Limits } from '../http/limits.ts';
import { namedOptions } from './named-options.ts';
import { storeSettingsOf, whole, withSettings } from './settings.ts';

const METRICS_PORT = new Option('--metrics-port <number>', 'port to serve metrics for Prometheus on (default: none)')
  .env('ACEQUIA_METRICS_PORT')
  .argParser(whole(0, 65_535));
const METRICS_HOST = new Option('--metrics-host <address>', 'address to serve them on')
  .env('ACEQUIA_METRICS_HOST')
  .default('127.0.0.1');

/** The environment variables that options of `acequia serve` beside the limits are read from. */
export const SERVE_VARIABLES: readonly string[] = [METRICS_PORT, METRICS_HOST].flatMap(({ envVar }) => envVar ?? []);

/** `acequia serve`: each limit is an option. */
export function addServe(program: Command): void {
  const named = LIMITS.map(({ name, option, env, text, least, most, default: usual }) => ({
    name,
    option: new Option(`${option} <number>`, text).env(env).argParser(whole(least, most)).default(usual),
  }));
  const allowed = namedOptions();
  const serve = withSettings(program.command('serve'))
    .description('serve the REST interface under /v1, its documentation, and MCP at /mcp')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 for any that is free', whole(0, 65_535), 8383)
    .addOption(allowed.hosts)
    .addOption(allowed.origins)
    .addOption(METRICS_PORT)
    .addOption(METRICS_HOST)
    .action(async (said, command: Command) => {
      const { host, port, allowedHosts: hosts, allowedOrigins: origins, metricsHost, metricsPort } = said;
      const { runServe } = await import('./serve.ts');
      const limits = Object.fromEntries(
        named.map(({ name, option }) => [name, command.getOptionValue(option.attributeName())]),
      ) as unknown as Limits;
      const metrics = metricsPort === undefined ? null : { host: metricsHost, port: metricsPort };
      process.exitCode = await runServe({ host, port, hosts, origins, limits, metrics }, storeSettingsOf(command));
    });
  for (const { option } of named) serve.addOption(option);
}
