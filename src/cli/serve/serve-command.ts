import { type Command, Option, type OptionValues } from 'commander';
import { entryOf } from '../../domain/items.ts';
import { isLoopback } from '../../domain/loopback.ts';
import {
  HTTP_LIMITS,
  httpLimits,
  type LimitSetting,
  limitVariable,
} from '../../http/http-limits.ts';
import { KEY_PRESET_NAMES } from '../../service/keys/key-presets.ts';
import {
  parseAudience,
  parseHosts,
  parseIssuer,
  parseOrigins,
  parsePath,
  parseProxies,
  parsePublicUrl,
  wholeNumberParser,
} from '../process/option-parsers.ts';
import { addCommonOptions, readSettings } from '../process/settings.ts';
import type { OAuthSettings } from './running-service.ts';

export const hostOption = (): Option =>
  new Option('--host <address>', 'address that the service listens on')
    .env('ACEQUIA_HOST')
    .default('127.0.0.1');

export const portOption = (): Option =>
  new Option('--port <number>', 'port that the service listens on; 0 for any free one')
    .env('ACEQUIA_PORT')
    .argParser(wholeNumberParser(0, 65_535))
    .default(8383);

export const publicUrlOption = (): Option =>
  new Option(
    '--public-url <url>',
    'address by which clients reach the service (default: the one it listens on)',
  )
    .env('ACEQUIA_PUBLIC_URL')
    .argParser(parsePublicUrl);

export const serveOptions = (limits = limitOptions()): Option[] => [
  hostOption(),
  portOption(),
  ...proxyOptions(),
  ...oauthOptions(),
  publicUrlOption(),
  mapsOption(),
  ...metricsOptions(),
  ...limits.values(),
];

export function addServeCommand(program: Command): void {
  const limits = limitOptions();
  const serve = addCommonOptions(program.command('serve')).description(
    'serve the live page, the REST API under /v1 with its documentation at /docs, and MCP at /mcp',
  );
  for (const option of serveOptions(limits)) serve.addOption(option);

  serve.action(async (values: OptionValues, command: Command) => {
    const { host, port, trustedProxies, metricsHost, metricsPort, maps } = values;
    const { allowedHosts, allowedOrigins } = values;
    const { runServe } = await import('./serve-run.ts');
    const metrics = metricsPort === undefined ? null : { host: metricsHost, port: metricsPort };
    const address = { host, port, trustedProxies };

    process.exitCode = await runServe(
      {
        ...address,
        allowedHosts,
        allowedOrigins,
        limits: httpLimits((setting) =>
          command.getOptionValue(entryOf(limits, setting).attributeName()),
        ),
        metrics,
        oauth: readOAuthSettings(values, command),
        maps,
      },
      readSettings(command, { allowsRemote: false }),
    );
  });
}

function proxyOptions(): Option[] {
  return [
    new Option(
      '--allowed-hosts <names>',
      'other host names of the page and of /mcp, as behind a proxy',
    )
      .env('ACEQUIA_ALLOWED_HOSTS')
      .argParser(parseHosts)
      .default([], 'none'),
    new Option(
      '--allowed-origins <sites>',
      'sites whose pages may call /mcp, such as https://app.example.org',
    )
      .env('ACEQUIA_ALLOWED_ORIGINS')
      .argParser(parseOrigins)
      .default([], 'none'),
    new Option(
      '--trusted-proxies <addresses>',
      'proxies through which clients connect; their connections are not limited by address',
    )
      .env('ACEQUIA_TRUSTED_PROXIES')
      .argParser(parseProxies)
      .default([], 'none'),
  ];
}

function oauthOptions(): Option[] {
  return [
    new Option(
      '--oauth-issuer <url>',
      'identity provider whose access tokens are accepted, as tokens name it in iss',
    )
      .env('ACEQUIA_OAUTH_ISSUER')
      .argParser(parseIssuer),
    new Option('--oauth-audience <name>', 'aud of its tokens (default: the public address of /mcp)')
      .env('ACEQUIA_OAUTH_AUDIENCE')
      .argParser(parseAudience),
    new Option(
      '--oauth-preset <name>',
      'what a token without a scope of Acequia may do (default: nothing)',
    )
      .env('ACEQUIA_OAUTH_PRESET')
      .choices(KEY_PRESET_NAMES),
  ];
}

const mapsOption = (): Option =>
  new Option('--maps <folder>', 'folder of maps for POST /v1/ingest/NAME: NAME.json')
    .env('ACEQUIA_INGEST_MAPS')
    .argParser(parsePath);

function metricsOptions(): Option[] {
  return [
    new Option('--metrics-port <number>', 'port that serves metrics for Prometheus (default: none)')
      .env('ACEQUIA_METRICS_PORT')
      .argParser(wholeNumberParser(0, 65_535)),
    new Option('--metrics-host <address>', 'address that serves the metrics')
      .env('ACEQUIA_METRICS_HOST')
      .default('127.0.0.1'),
  ];
}

function limitOptions(): Map<LimitSetting, Option> {
  const options = new Map<LimitSetting, Option>();
  for (const setting of Object.values(HTTP_LIMITS)) {
    const option = new Option(`${setting.option} <number>`, setting.description)
      .env(limitVariable(setting))
      .argParser(wholeNumberParser(setting.min, setting.max))
      .default(setting.default);
    options.set(setting, option);
  }
  return options;
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
