/** Providers whose clouds are asked for readings. */
export const PULL_PROVIDERS = ['irrimax', 'zentra', 'davis'] as const;

export type PullProviderName = (typeof PULL_PROVIDERS)[number];
