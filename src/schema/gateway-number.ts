import { z } from 'zod/v3';

export const gatewayNumber = () =>
  z
    .string()
    .regex(/^(\d{15}|[\dA-F]{16})$/)
    .describe('an IMEI of 15 digits, or the EUI-64 of a LoRaWAN gateway in capitals');
