export const DATE_ORDERS = ['dmy', 'mdy'] as const;
/** How a file writes dates such as 03/04/2026. */
export type DateOrder = (typeof DATE_ORDERS)[number];
