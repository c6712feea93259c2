import type { PullProviderName } from '../../../domain/ingest/import-options.ts';
import { davis } from './davis.ts';
import { irrimax } from './irrimax.ts';
import type { PullProvider } from './provider.ts';
import { zentra } from './zentra.ts';

export const pullProviders: Readonly<Record<PullProviderName, PullProvider>> = {
  irrimax,
  zentra,
  davis,
};
