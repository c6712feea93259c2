import { copyFile, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmInstall } from './nodes.mjs';
import { ran } from './ran.mjs';

const driver = fileURLToPath(new URL('./drivers/mcpjam.mjs', import.meta.url));

/** Version 1.14 imports what later versions of the client moved, though it allows them. */
const OVERRIDES = { '@modelcontextprotocol/client': '2.0.0-alpha.2' };

/** MCPJam's checks of the protocol over HTTP and of apps over both transports; they need no account. */
export async function mcpjamChecks({ command, url, key }, folder, node) {
  const at = join(folder, 'mcpjam');
  await npmInstall(at, ['@mcpjam/sdk'], { path: `${node.bin}${delimiter}${process.env.PATH}`, overrides: OVERRIDES });
  const { version } = JSON.parse(await readFile(join(at, 'node_modules', '@mcpjam', 'sdk', 'package.json'), 'utf8'));
  await copyFile(driver, join(at, 'mcpjam.mjs'));
  const args = [join(at, 'mcpjam.mjs'), JSON.stringify({ command, url, key })];
  const output = await ran(join(node.bin, 'node'), args, { cwd: at, env: process.env });
  return { version, checks: JSON.parse(output.slice(output.indexOf('RESULT') + 'RESULT'.length)) };
}
