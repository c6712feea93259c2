/**
 * The environment of the programs that the demo starts: without the person's own settings of Acequia, whose mail server
 * must not send the demo's mail. English, as the farm is in France and its tools would speak French.
 */
export const demoEnvironment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ACEQUIA_'))),
  ACEQUIA_LANG: 'en',
});
