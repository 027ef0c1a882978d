import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApp } from '../../data/apps/use-app.ts';
import { approveDraft } from '../../data/campaigns/feeds/queries.ts';
import type { DraftProps } from '../../data/campaigns/feeds/resource.ts';
import { campaignQuery, campaignsKey } from '../../data/campaigns/queries.ts';
import { deliveriesKey } from '../../data/deliveries/queries.ts';
import { useApi } from '../../data/http/services.tsx';
import { readersInWords } from '../../format/readers-words.ts';
import { useReaders } from '../../notification/use-forecast.ts';
import { everyReader } from '../../notification/values.ts';
import { Warned } from '../../notification/warnings/warned.tsx';
import { textsAreThere, WordsInputs } from '../../notification/words-inputs.tsx';
import { t } from '../../texts/t.ts';
import { FormModal } from '../../ui/form-modal.tsx';
import { toastDone } from '../../ui/toast.ts';

const words = t.feeds;

interface Props extends DraftProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** The last check of a draft: its texts may be changed, then it is sent. */
export function ApproveDialog({ opened, onClose, app, campaign, item }: Props): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { title: item.title, body: item.body },
    validate: textsAreThere,
  });
  return (
    <FormModal
      opened={opened}
      onClose={onClose}
      title={words.approveTitle}
      form={form}
      act={words.approveAct}
      run={(texts) => approveDraft(api, app, { campaign, item: item.id }, texts)}
      onDone={() => {
        onClose();
        toastDone(words.approved);
        void queries.invalidateQueries({ queryKey: deliveriesKey(app) });
        void queries.invalidateQueries({ queryKey: campaignsKey(app) });
      }}
    >
      <Audience campaign={campaign} />
      <Warned notification={form.getValues()}>
        <WordsInputs inputOf={form.getInputProps} />
      </Warned>
    </FormModal>
  );
}

function Audience({ campaign }: { campaign: number }): ReactNode {
  const { identifier } = useApp();
  const { data } = useQuery(campaignQuery(useApi(), identifier, String(campaign)));
  const { readers } = useReaders({
    ...everyReader,
    segment_id: String(data?.segment_id ?? ''),
    delivery_category_id: String(data?.delivery_category_id ?? ''),
  });
  return (
    <Text size="sm">
      {typeof readers === 'number' ? t.compose.confirmNow(readersInWords(readers)) : t.compose.confirmUnknown}
    </Text>
  );
}
