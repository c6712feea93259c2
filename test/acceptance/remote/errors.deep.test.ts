import { it } from 'vitest';
import { expectRecorded } from '../../recorded/recording.ts';
import { startStdioServer } from '../mcp-session.ts';
import { saidByTools, serveErrorsFarm } from '../rest/errors-farm.ts';

it('errors of tools with --remote say what was recorded', async () => {
  const farm = await serveErrorsFarm();
  const said = await saidByTools(farm, 'remote', (key) =>
    startStdioServer(['--remote', farm.base], { ACEQUIA_API_KEY: key }),
  );
  await expectRecorded('errors', said, 'remote, ');
});
