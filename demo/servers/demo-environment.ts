/**
 * Without the user's own settings, whose mail server must not send the demo's mail. Reports of
 * imports are in English, although the farm is in France.
 */
export const demoEnvironment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('ACEQUIA_')),
  ),
  ACEQUIA_LANG: 'en',
});
