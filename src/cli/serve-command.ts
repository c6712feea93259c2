import { type Command, Option } from 'commander';
import { HTTP_LIMITS, httpLimits, type LimitSetting, limitVariable } from '../http/limits.ts';
import { parseHosts, parseOrigins, wholeNumberParser } from './process/option-parsers.ts';
import { addCommonOptions, readStoreSettings } from './process/settings.ts';

export function addServeCommand(program: Command): void {
  const limitOptions = new Map<LimitSetting, Option>();
  for (const setting of Object.values(HTTP_LIMITS)) {
    const parser = wholeNumberParser(setting.min, setting.max);
    const option = new Option(`${setting.option} <number>`, setting.description).env(limitVariable(setting));
    limitOptions.set(setting, option.argParser(parser).default(setting.default));
  }
  const serve = addCommonOptions(program.command('serve'))
    .description('serve the REST API under /v1, its documentation, and MCP at /mcp')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 for any free one', wholeNumberParser(0, 65_535), 8383)
    .addOption(
      new Option('--allowed-hosts <names>', 'other host names of /mcp, as behind a proxy')
        .env('ACEQUIA_ALLOWED_HOSTS')
        .argParser(parseHosts)
        .default([], 'none'),
    )
    .addOption(
      new Option('--allowed-origins <sites>', 'sites whose pages may call /mcp, such as https://app.example.org')
        .env('ACEQUIA_ALLOWED_ORIGINS')
        .argParser(parseOrigins)
        .default([], 'none'),
    )
    .addOption(
      new Option('--metrics-port <number>', 'port that serves metrics for Prometheus (default: none)')
        .env('ACEQUIA_METRICS_PORT')
        .argParser(wholeNumberParser(0, 65_535)),
    )
    .addOption(
      new Option('--metrics-host <address>', 'address that serves the metrics')
        .env('ACEQUIA_METRICS_HOST')
        .default('127.0.0.1'),
    )
    .action(async (options, command: Command) => {
      const { host, port, allowedHosts: hosts, allowedOrigins: origins, metricsHost, metricsPort } = options;
      const { runServe } = await import('./serve/serve-run.ts');
      const limits = httpLimits((setting) => command.getOptionValue(limitOptions.get(setting)!.attributeName()));
      const metrics = metricsPort === undefined ? null : { host: metricsHost, port: metricsPort };
      process.exitCode = await runServe({ host, port, hosts, origins, limits, metrics }, readStoreSettings(command));
    });
  for (const option of limitOptions.values()) serve.addOption(option);
}
