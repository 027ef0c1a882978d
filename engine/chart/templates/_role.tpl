{{/*
A role: its Deployment, its Service and its budget. Of the dictionary: root, role, values, secrets (beside that of the
servers), env (what the chart gives), ports (name to number), probeFailures, tmp, http (whether others call it).
*/}}
{{- define "broadside.role" -}}
{{- $name := printf "%s-%s" (include "broadside.name" .root) .role }}
{{- $settings := .values.settings | default dict }}
{{- $drainMs := $settings.DRAIN_DEADLINE_MS | default .root.Values.settings.DRAIN_DEADLINE_MS | default 20000 }}
{{- $scaled := and (hasKey .values "autoscaling") (dig "autoscaling" "enabled" false .values) }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  namespace: {{ .root.Release.Namespace }}
  labels: {{- include "broadside.labels" . | nindent 4 }}
spec:
  {{- if not $scaled }}
  replicas: {{ .values.replicas }}
  {{- end }}
  selector:
    matchLabels: {{- include "broadside.selector" . | nindent 6 }}
  strategy: { type: RollingUpdate, rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } }
  template:
    metadata:
      labels: {{- include "broadside.labels" . | nindent 8 }}
      annotations:
        # Pods read settings when they start: changed ones start others.
        checksum/settings: {{ include "broadside.data" .root.Values.settings | sha256sum }}
        {{- with .values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      # Longer than DRAIN_DEADLINE_MS and what closing takes after it.
      terminationGracePeriodSeconds: {{ add 25 (div (int64 $drainMs) 1000) }}
      {{- include "broadside.pod" . | nindent 6 }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "broadside.selector" . | nindent 14 }}
      {{- with include "broadside.nodes" .values | trim }}
      {{- . | nindent 6 }}
      {{- end }}
      {{- with .values.affinity }}
      affinity: {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ .role }}
          image: {{ include "broadside.image" (dict "root" .root "tag" .values.tag) }}
          command: [node, api/bin.mjs, {{ .role }}]
          envFrom:
            - configMapRef: { name: {{ include "broadside.name" .root }}-settings }
            {{- range prepend .secrets .root.Values.secrets.servers }}
            - secretRef: { name: {{ . }} }
            {{- end }}
          # What the role's own settings name goes before what all roles share.
          env: {{- include "broadside.env" (mergeOverwrite (dict) .env $settings) | nindent 12 }}
            {{- with .more }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          ports:
            {{- range $port, $number := .ports }}
            - { name: {{ $port }}, containerPort: {{ $number }} }
            {{- end }}
          livenessProbe: { httpGet: { path: /health/live, port: internal }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: {{ .probeFailures }} }
          readinessProbe: { httpGet: { path: /health/ready, port: internal }, periodSeconds: 5, timeoutSeconds: 3 }
          resources: {{- toYaml .values.resources | nindent 12 }}
          {{- include "broadside.container" .root | nindent 10 }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ $name }}
  namespace: {{ .root.Release.Namespace }}
  labels: {{- include "broadside.labels" . | nindent 4 }}
spec:
  {{- if not .http }}
  # Each of the addresses behind the name is a pod: for Prometheus.
  clusterIP: None
  publishNotReadyAddresses: true
  {{- end }}
  selector: {{- include "broadside.selector" . | nindent 4 }}
  ports:
    {{- if .http }}
    - { name: http, port: {{ .ports.http }}, targetPort: http }
    {{- else }}
    - { name: internal, port: {{ .ports.internal }}, targetPort: internal }
    {{- end }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  namespace: {{ .root.Release.Namespace }}
  labels: {{- include "broadside.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{- include "broadside.selector" . | nindent 6 }}
{{- end -}}
