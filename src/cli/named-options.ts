import { InvalidArgumentError, Option } from 'commander';
import { parseHost } from '../http/host-name.ts';

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
