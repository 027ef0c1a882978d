import { Type } from 'typebox';

export const tags = ['Webhooks'];
/** A receiver sees what happens in all apps of the organization, for as long as the endpoint is there. */
export const reads = { ability: 'deliveries:read', role: 'admin' } as const;
export const writes = { ability: 'deliveries:write', role: 'admin' } as const;
export const params = Type.Object({
  webhook_id: Type.String({ maxLength: 255, description: 'The webhook’s id.', examples: ['3'] }),
});
