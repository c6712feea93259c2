/** Whether tests of this process were to run on PostgreSQL, where there is none. */
export const postgresAvailability = { isKnown: false };
