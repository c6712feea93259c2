import { type Command, Option } from 'commander';
import { LIMITS, type Limits } from '../http/limits.ts';
import { namedOptions } from './named-options.ts';
import { storeSettingsOf, whole, withSettings } from './settings.ts';

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
    .action(async ({ host, port, allowedHosts: hosts, allowedOrigins: origins }, command: Command) => {
      const { runServe } = await import('./serve.ts');
      const limits = Object.fromEntries(
        named.map(({ name, option }) => [name, command.getOptionValue(option.attributeName())]),
      ) as unknown as Limits;
      process.exitCode = await runServe({ host, port, hosts, origins, limits }, storeSettingsOf(command));
    });
  for (const { option } of named) serve.addOption(option);
}
