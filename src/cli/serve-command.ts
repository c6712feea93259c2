import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseHost } from '../http/dns-rebinding-guard.ts';
import { HTTP_LIMITS, type HttpLimits } from '../http/limits.ts';
import { addCommonOptions, readStoreSettings, wholeNumberParser } from './process/settings.ts';

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Names with commas between them, each with or without a port. */
const parseHosts = (text: string): string[] =>
  splitList(text).map(
    (part) =>
      parseHost(part)?.host ??
      rejectValue('Give names such as water.example.org or 192.0.2.7:8383, with commas between them.'),
  );

/** Sites with commas between them. */
const parseOrigins = (text: string): string[] =>
  splitList(text).map((part) => {
    const site = part.toLowerCase().replace(/\/$/, '');
    if (!/^[a-z][a-z\d+.-]*:\/\/[^\s/]+$/.test(site))
      rejectValue('Give sites such as https://app.example.org, with commas between them.');
    // A browser leaves a port out that goes without saying.
    return /^https?:/.test(site) && URL.canParse(site) ? new URL(site).origin : site;
  });

function rejectValue(hint: string): never {
  throw new InvalidArgumentError(hint);
}

/** By whom MCP may be asked over HTTP, beside who uses the address that is served. */
export const allowedCallerOptions = (): { hosts: Option; origins: Option } => ({
  hosts: new Option('--allowed-hosts <names>', 'other names under which /mcp may be asked, as behind a proxy')
    .env('ACEQUIA_ALLOWED_HOSTS')
    .argParser(parseHosts)
    .default([], 'none'),
  origins: new Option('--allowed-origins <sites>', 'sites whose pages may ask /mcp, such as https://app.example.org')
    .env('ACEQUIA_ALLOWED_ORIGINS')
    .argParser(parseOrigins)
    .default([], 'none'),
});

/** The environment variables of these options. */
export const allowedCallerVariables = (): string[] =>
  Object.values(allowedCallerOptions()).flatMap(({ envVar }) => envVar ?? []);

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
      const { runServe } = await import('./serve/serve-run.ts');
      const limits = Object.fromEntries(
        limitOptions.map(({ name, option }) => [name, command.getOptionValue(option.attributeName())]),
      ) as unknown as HttpLimits;
      const metrics = metricsPort === undefined ? null : { host: metricsHost, port: metricsPort };
      process.exitCode = await runServe({ host, port, hosts, origins, limits, metrics }, readStoreSettings(command));
    });
  for (const { option } of limitOptions) serve.addOption(option);
}
