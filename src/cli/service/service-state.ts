import type { ServiceName, ServicePlatform, ServiceState } from './platforms/service-platform.ts';
import { queryCommand } from './system-command.ts';

export const servicesState = (
  platform: ServicePlatform,
  names: readonly ServiceName[],
): Promise<(ServiceState & { readonly name: ServiceName })[]> =>
  Promise.all(
    names.map(async (name) => {
      const { code, stdout, stderr } = await queryCommand(platform.stateQuery(name));
      const { isOn, words } = platform.readState(stdout, code);
      return { name, isOn, words: words || stderr.trim() };
    }),
  );
