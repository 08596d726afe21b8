"""A Django project with django-oauth-toolkit as an OpenID provider whose access tokens are JWTs."""
import os
from pathlib import Path

STATE = Path(os.environ['PROVIDER_STATE'])
ISSUER = os.environ['PROVIDER_ISSUER']
SECRET_KEY = 'of-a-test'
DEBUG = True
ALLOWED_HOSTS = ['127.0.0.1']
ROOT_URLCONF = 'urls'
INSTALLED_APPS = [
    'django.contrib.auth', 'django.contrib.contenttypes', 'django.contrib.sessions', 'django.contrib.messages',
    'django.contrib.admin', 'oauth2_provider',
]
MIDDLEWARE = [
    'django.contrib.sessions.middleware.SessionMiddleware', 'django.contrib.auth.middleware.AuthenticationMiddleware',
    'django.contrib.messages.middleware.MessageMiddleware',
]
TEMPLATES = [{'BACKEND': 'django.template.backends.django.DjangoTemplates', 'APP_DIRS': True, 'OPTIONS': {
    'context_processors': ['django.template.context_processors.request', 'django.contrib.auth.context_processors.auth',
                           'django.contrib.messages.context_processors.messages']}}]
DATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': STATE / 'db.sqlite3'}}
DEFAULT_AUTO_FIELD = 'django.db.models.BigAutoField'
LOGIN_URL = '/admin/login/'
USE_TZ = True
OAUTH2_PROVIDER = {
    'OIDC_ENABLED': True,
    'OIDC_RSA_PRIVATE_KEY': (STATE / 'key.pem').read_text(),
    'SCOPES': {'openid': 'who it is', 'profile': 'a name', 'email': 'an address', 'platform': 'the platform'},
    'ACCESS_TOKEN_GENERATOR': 'tokens.access_token',
    'OAUTH2_VALIDATOR_CLASS': 'tokens.Validator',
}
