import { type Command, Option } from 'commander';
import { HTTP_LIMITS, type HttpLimits } from '../http/limits.ts';
import { allowedCallerOptions } from './named-options.ts';
import { addCommonOptions, readStoreSettings, wholeNumberParser } from './settings.ts';

const METRICS_PORT = new Option('--metrics-port <number>', 'port to serve metrics for Prometheus on (default: none)')
  .env('ACEQUIA_METRICS_PORT')
  .argParser(wholeNumberParser(0, 65_535));
const METRICS_HOST = new Option('--metrics-host <address>', 'address to serve them on')
  .env('ACEQUIA_METRICS_HOST')
  .default('127.0.0.1');

/** The environment variables that options of `acequia serve` beside the limits are read from. */
export const SERVE_VARIABLES: readonly string[] = [METRICS_PORT, METRICS_HOST].flatMap(({ envVar }) => envVar ?? []);

/** `acequia serve`: each limit is an option. */
export function addServeCommand(program: Command): void {
  const limitOptions = HTTP_LIMITS.map(({ name, option, env, description, min, max, default: usual }) => ({
    name,
    option: new Option(`${option} <number>`, description)
      .env(env)
      .argParser(wholeNumberParser(min, max))
      .default(usual),
  }));
  const allowed = allowedCallerOptions();
  const serve = addCommonOptions(program.command('serve'))
    .description('serve the REST interface under /v1, its documentation, and MCP at /mcp')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 for any that is free', wholeNumberParser(0, 65_535), 8383)
    .addOption(allowed.hosts)
    .addOption(allowed.origins)
    .addOption(METRICS_PORT)
    .addOption(METRICS_HOST)
    .action(async (options, command: Command) => {
      const { host, port, allowedHosts: hosts, allowedOrigins: origins, metricsHost, metricsPort } = options;
      const { runServe } = await import('./serve.ts');
      const limits = Object.fromEntries(
        limitOptions.map(({ name, option }) => [name, command.getOptionValue(option.attributeName())]),
      ) as unknown as HttpLimits;
      const metrics = metricsPort === undefined ? null : { host: metricsHost, port: metricsPort };
      process.exitCode = await runServe({ host, port, hosts, origins, limits, metrics }, readStoreSettings(command));
    });
  for (const { option } of limitOptions) serve.addOption(option);
}
