/** The variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Variables without an option that a service reads: command lines are visible to others, and most
 * of these hold secrets or come with one.
 */
export const VARIABLES_OF_A_SERVICE = [
  'ACEQUIA_SMTP_URL',
  'ACEQUIA_MAIL_FROM',
  'ACEQUIA_FORECAST',
  'ACEQUIA_PUSH_SERVICES',
  'ACEQUIA_BACKUPS',
  'ACEQUIA_MQTT_USERNAME',
  'ACEQUIA_MQTT_PASSWORD',
] as const;

/** Holds the key of a company. */
export const KEY_VARIABLE = 'ACEQUIA_API_KEY';

/** Matches the variables of the connection to PostgreSQL. */
export const DATABASE_VARIABLE = /^PG[A-Z]+$/;
