import { useNetwork } from '@mantine/hooks';
import { type QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import {
  type Delivery,
  deliveriesKey,
  deliveryKey,
  deliveryQuery,
  type Progress,
} from '../data/deliveries/queries.ts';
import { isActive } from '../data/deliveries/status.ts';
import { useServices } from '../data/http/services.tsx';

/** Where the stream is refused: often enough to look alive, rarely enough for the rate limit. */
const POLL_EVERY_MS = 3_000;

export interface LiveDelivery {
  readonly query: UseQueryResult<Delivery>;
  /** False: it is read again every few seconds. */
  readonly live: boolean;
}

/** A delivery that follows its own progress while it runs. */
export function useDelivery(app: string, id: string): LiveDelivery {
  const { api, queries, baseUrl } = useServices();
  const { online } = useNetwork();
  const [refused, setRefused] = useState(false);
  const [running, setRunning] = useState(false);
  const query = useQuery({
    ...deliveryQuery(api, app, id),
    ...(refused && running ? { refetchInterval: POLL_EVERY_MS } : {}),
  });
  const active = query.data !== undefined && isActive(query.data);
  if (active !== running) setRunning(active);
  useEffect(() => {
    if (!active || refused) return;
    const url = `${baseUrl}/api/v1/client/apps/${encodeURIComponent(app)}/deliveries/${id}/progress`;
    return follow(url, {
      onProgress: (progress) => merge(queries, app, id, progress),
      // Clicks and other figures that a stream does not have, on this page and in the list.
      onEnd: () => void queries.invalidateQueries({ queryKey: deliveriesKey(app) }),
      onRefused: () => setRefused(true),
    });
  }, [active, refused, baseUrl, app, id, queries]);
  return { query, live: active && !refused && online };
}

function merge(queries: QueryClient, app: string, id: string, progress: Progress): void {
  queries.setQueryData<Delivery>(deliveryKey(app, id), (old) => old && { ...old, ...progress });
}

interface Follower {
  readonly onProgress: (progress: Progress) => void;
  readonly onEnd: () => void;
  readonly onRefused: () => void;
}

/** @returns a function that closes it. The browser reopens a stream that ends without its last event. */
function follow(url: string, { onProgress, onEnd, onRefused }: Follower): () => void {
  const source = new EventSource(url);
  const told = ({ data }: MessageEvent<string>): void => {
    const progress: Progress | null = JSON.parse(data);
    if (progress !== null) onProgress(progress);
  };
  source.addEventListener('progress', told);
  source.addEventListener('end', (event) => {
    source.close();
    told(event);
    onEnd();
  });
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) onRefused();
  });
  return () => source.close();
}
