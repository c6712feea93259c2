import { InvalidArgumentError, Option } from 'commander';
import { hostOf } from '../http/host-name.ts';

const parted = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Names with commas between them, each with or without a port. */
const hosts = (text: string): string[] =>
  parted(text).map(
    (part) =>
      hostOf(part)?.host ??
      refuseUsage('Give names such as water.example.org or 192.0.2.7:8383, with commas between them.'),
  );

/** Sites with commas between them. */
const origins = (text: string): string[] =>
  parted(text).map((part) => {
    const site = part.toLowerCase().replace(/\/$/, '');
    if (!/^[a-z][a-z\d+.-]*:\/\/[^\s/]+$/.test(site))
      refuseUsage('Give sites such as https://app.example.org, with commas between them.');
    // A browser leaves a port out that goes without saying.
    return /^https?:/.test(site) && URL.canParse(site) ? new URL(site).origin : site;
  });

function refuseUsage(hint: string): never {
  throw new InvalidArgumentError(hint);
}

/** By whom MCP may be asked over HTTP, beside who uses the address that is served. */
export const namedOptions = (): { hosts: Option; origins: Option } => ({
  hosts: new Option('--allowed-hosts <names>', 'other names under which /mcp may be asked, as behind a proxy')
    .env('ACEQUIA_ALLOWED_HOSTS')
    .argParser(hosts)
    .default([], 'none'),
  origins: new Option('--allowed-origins <sites>', 'sites whose pages may ask /mcp, such as https://app.example.org')
    .env('ACEQUIA_ALLOWED_ORIGINS')
    .argParser(origins)
    .default([], 'none'),
});

/** The environment variables of these options. */
export const namedVariables = (): string[] => Object.values(namedOptions()).flatMap(({ envVar }) => envVar ?? []);
