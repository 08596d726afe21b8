"""Creates the tables, a person, a client for people and a service account."""
import json
import os
import sys

import django

sys.path.insert(0, os.path.dirname(__file__))
os.environ['DJANGO_SETTINGS_MODULE'] = 'settings'
django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from oauth2_provider.models import Application  # noqa: E402

call_command('migrate', verbosity=0)
given = json.load(sys.stdin)
User.objects.create_superuser(given['username'], 'ann@acme.example', given['password'])
Application.objects.create(
    client_id=given['clientId'], client_type='public', authorization_grant_type='authorization-code',
    redirect_uris=given['redirectUri'], algorithm='RS256', name='Platform',
)
Application.objects.create(
    client_id=given['serviceId'], client_secret=given['secret'], client_type='confidential',
    authorization_grant_type='client-credentials', algorithm='RS256', name='CI',
)
