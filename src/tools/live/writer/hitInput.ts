import { z } from 'zod';

/** The parameters that name a hit of a collection. */
export const hitInput = {
  collection_id: z
    .string()
    .min(1)
    .max(20)
    .optional()
    .describe('With hit, instead of a stop: a result of collect_values.'),
  hit: z.int().min(1).optional().describe('The number of the hit of its probe.'),
  probe: z.int().min(1).optional().describe('The probe, if it has several.'),
};
