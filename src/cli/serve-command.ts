import { type Command, Option, type OptionValues } from 'commander';
import { entryOf } from '../domain/items.ts';
import { isLoopback } from '../domain/loopback.ts';
import { HTTP_LIMITS, httpLimits, type LimitSetting, limitVariable } from '../http/limits.ts';
import { KEY_PRESET_NAMES } from '../service/keys/key-presets.ts';
import {
  expandHome,
  parseAudience,
  parseHosts,
  parseIssuer,
  parseOrigins,
  parsePublicUrl,
  wholeNumberParser,
} from './process/option-parsers.ts';
import { addCommonOptions, readSettings } from './process/settings.ts';
import type { OAuthSettings } from './serve-run.ts';

export const hostOption = (): Option =>
  new Option('--host <address>', 'address that the service listens on').default('127.0.0.1');

export const portOption = (): Option =>
  new Option('--port <number>', 'port that the service listens on; 0 for any free one')
    .argParser(wholeNumberParser(0, 65_535))
    .default(8383);

export const publicUrlOption = (): Option =>
  new Option(
    '--public-url <url>',
    'address by which clients reach the service (default: the one it listens on)',
  )
    .env('ACEQUIA_PUBLIC_URL')
    .argParser(parsePublicUrl);

export function addServeCommand(program: Command): void {
  const limitOptions = new Map<LimitSetting, Option>();
  for (const setting of Object.values(HTTP_LIMITS)) {
    const parser = wholeNumberParser(setting.min, setting.max);
    const option = new Option(`${setting.option} <number>`, setting.description).env(
      limitVariable(setting),
    );
    limitOptions.set(setting, option.argParser(parser).default(setting.default));
  }

  const serve = addCommonOptions(program.command('serve'))
    .description(
      'serve the live page, the REST API under /v1 with its documentation at /docs, and MCP at /mcp',
    )
    .addOption(hostOption())
    .addOption(portOption())
    .addOption(
      new Option(
        '--allowed-hosts <names>',
        'other host names of the page and of /mcp, as behind a proxy',
      )
        .env('ACEQUIA_ALLOWED_HOSTS')
        .argParser(parseHosts)
        .default([], 'none'),
    )
    .addOption(
      new Option(
        '--allowed-origins <sites>',
        'sites whose pages may call /mcp, such as https://app.example.org',
      )
        .env('ACEQUIA_ALLOWED_ORIGINS')
        .argParser(parseOrigins)
        .default([], 'none'),
    )
    .addOption(
      new Option(
        '--oauth-issuer <url>',
        'identity provider whose access tokens are accepted, as tokens name it in iss',
      )
        .env('ACEQUIA_OAUTH_ISSUER')
        .argParser(parseIssuer),
    )
    .addOption(
      new Option(
        '--oauth-audience <name>',
        'aud of its tokens (default: the public address of /mcp)',
      )
        .env('ACEQUIA_OAUTH_AUDIENCE')
        .argParser(parseAudience),
    )
    .addOption(
      new Option(
        '--oauth-preset <name>',
        'what a token without a scope of Acequia may do (default: nothing)',
      )
        .env('ACEQUIA_OAUTH_PRESET')
        .choices(KEY_PRESET_NAMES),
    )
    .addOption(publicUrlOption())
    .addOption(
      new Option('--maps <folder>', 'folder of maps for POST /v1/ingest/NAME: NAME.json')
        .env('ACEQUIA_INGEST_MAPS')
        .argParser(expandHome),
    )
    .addOption(
      new Option(
        '--metrics-port <number>',
        'port that serves metrics for Prometheus (default: none)',
      )
        .env('ACEQUIA_METRICS_PORT')
        .argParser(wholeNumberParser(0, 65_535)),
    )
    .addOption(
      new Option('--metrics-host <address>', 'address that serves the metrics')
        .env('ACEQUIA_METRICS_HOST')
        .default('127.0.0.1'),
    )
    .action(async (options, command: Command) => {
      const { host, port, allowedHosts, allowedOrigins, metricsHost, metricsPort, maps } = options;
      const { runServe } = await import('./serve-run.ts');
      const limits = httpLimits((setting) =>
        command.getOptionValue(entryOf(limitOptions, setting).attributeName()),
      );
      const metrics = metricsPort === undefined ? null : { host: metricsHost, port: metricsPort };
      const oauth = readOAuthSettings(options, command);
      const address = { host, port, allowedHosts, allowedOrigins };

      process.exitCode = await runServe(
        { ...address, limits, metrics, oauth, maps },
        readSettings(command, { allowsRemote: false }),
      );
    });
  for (const option of limitOptions.values()) serve.addOption(option);
}

function readOAuthSettings(options: OptionValues, command: Command): OAuthSettings {
  const {
    host,
    publicUrl = null,
    oauthIssuer = null,
    oauthAudience = null,
    oauthPreset = null,
  } = options;
  if (oauthIssuer === null && (oauthAudience !== null || oauthPreset !== null))
    command.error(
      'error: --oauth-audience and --oauth-preset need --oauth-issuer, whose tokens they are about.',
    );

  if (oauthIssuer !== null && publicUrl === null && !isLoopback(host))
    command.error(
      'error: --oauth-issuer needs --public-url, the https address by which clients reach the service.',
    );

  return { issuer: oauthIssuer, audience: oauthAudience, preset: oauthPreset, publicUrl };
}
