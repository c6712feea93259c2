// The plugin is installed from the repository as it is, so its skills are a committed copy of
// prompts/.
import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';

export async function writePluginSkills(root) {
  const plugin = join(root, 'packages', 'plugin');
  // The container is built without what is published elsewhere.
  if (!existsSync(plugin)) return;

  const skills = join(plugin, 'skills');
  await rm(skills, { recursive: true, force: true });
  await cp(join(root, 'prompts'), skills, { recursive: true });
}
